/**
 * `String(value)` calls the value's `toString`. In a parsed answer that may be a field, and the call throws, so where
 * foreign values are handled, `String` takes no objects: `scalarText` (common/json.ts) is for values of any type.
 */
interface StringConstructor {
  (value: string | number | bigint | boolean | symbol | null | undefined): string;
  (value: unknown): { readonly mayHaveAFieldNamedToString: never };
}
