/** Where a deployment shows what the suite looks for, as JSON pointers. */
export interface Shape {
  /** Into a record. */
  readonly id?: string;
  /** Into the answer of a list. */
  readonly rows?: string;
  /** Into a page: the cursor, link or number of the next one. */
  readonly next?: string;
}

/** Shapes by what lists are called: `agents`, `keys`, `campaigns`. */
export type Shapes = Readonly<Record<string, Shape>>;

/** What the list or record of a path is called: `agents` for `/v1/agents` and `/v1/agents/:id`. */
export const shapeName = (path: string): string =>
  path
    .replace(/\/:id(?:\/.*)?$/, '')
    .split('/')
    .at(-1) ?? '';
