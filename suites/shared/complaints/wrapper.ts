type Body = Readonly<Record<string, unknown>>;

/** A field that contains the others of a body: as an object, or as the only member of a list. */
export interface Wrapper {
  readonly name: string;
  readonly isList: boolean;
  /** The fields that are beside it. */
  readonly beside: readonly string[];
}

export function wrapped(fields: Body, wrapper: Wrapper | null): Body {
  if (wrapper === null) {
    return fields;
  }
  const [inside = [], beside = []] = [false, true].map((isBeside) =>
    Object.entries(fields).filter(([name]) => wrapper.beside.includes(name) === isBeside),
  );
  const inner = Object.fromEntries(inside);
  return { [wrapper.name]: wrapper.isList ? [inner] : inner, ...Object.fromEntries(beside) };
}

/** Names under which APIs keep all fields of a record. */
const containerName =
  /^(data|attributes|properties|fields|record|resource|item|payload|object|input|document|entity)$/i;

/** Whether a field of that name may contain those of a record: it is the noun for it, or a usual name. */
export const isWrapperName = (noun: string, name: string): boolean => name === noun || containerName.test(name);

export const plainWrapper = (name: string): Wrapper => ({ name, isList: false, beside: [] });
