import { type Ingredient, literal } from '../read/ingredient.ts';
import type { Ingredients } from '../read/ingredients.ts';
import { body, type Recipe } from '../recipe.ts';

/**
 * The compositions of one level: some of a delivery's ingredients and the body, in any order, with one text (the
 * joiner) between them. All known schemes that join parts are of this family. If the body is empty (`isEmpty`), it is
 * also tried at the end without a joiner.
 */
export function* compositions(level: Level, from: Ingredients, isEmpty: boolean): Generator<Recipe> {
  for (const units of choose(choicesOf(from, level), level.size)) {
    for (const order of isEmpty ? orders(units) : []) {
      yield* joined(order, level.joiners, [body]);
    }
    for (const order of orders<Unit>([...units, bodyUnit])) {
      if (level.takes(order)) {
        yield* joined(order, level.joiners);
      }
    }
  }
}

/** The ingredients that are placed together: the host, path and query of an address, say. */
interface Unit {
  readonly kind: 'body' | 'method' | 'address' | 'time' | 'value' | 'word';
  readonly pieces: Recipe;
}

const bodyUnit: Unit = { kind: 'body', pieces: [body] };

export interface Level {
  /** How many units there are besides the body. */
  readonly size: number;
  /** How many of each kind are tried. */
  readonly most: Readonly<Record<Exclude<Unit['kind'], 'body'>, number>>;
  readonly joiners: readonly string[];
  readonly takes: (order: readonly Unit[]) => boolean;
}

const joiners = ['\n', '.', '', ':', '|', ',', ';', '&', '-', '/', '_', ' ', '~', '#', '+', '::', '\r\n'];

const index = (order: readonly Unit[], kind: Unit['kind']): number => order.findIndex((unit) => unit.kind === kind);
/** In larger compositions the method comes before the address. */
const methodFirst = (order: readonly Unit[]): boolean =>
  index(order, 'address') < 0 || index(order, 'method') < index(order, 'address');
const bodyLast = (order: readonly Unit[]): boolean => index(order, 'body') === order.length - 1;

/** The larger a composition, the fewer units of each kind and the fewer joiners are tried. */
export const levels: readonly Level[] = [
  { size: 1, most: { method: 2, address: 14, time: 14, value: 24, word: 48 }, joiners, takes: () => true },
  {
    size: 2,
    most: { method: 1, address: 10, time: 5, value: 8, word: 0 },
    joiners: joiners.slice(0, 11),
    takes: () => true,
  },
  {
    // A word before the other two.
    size: 2,
    most: { method: 0, address: 2, time: 3, value: 3, word: 48 },
    joiners: joiners.slice(0, 6),
    takes: (order) => index(order, 'word') === 0,
  },
  {
    size: 3,
    most: { method: 1, address: 6, time: 2, value: 4, word: 0 },
    joiners: joiners.slice(0, 6),
    takes: () => true,
  },
  {
    // A word before the other two, and the body at the end.
    size: 3,
    most: { method: 0, address: 1, time: 2, value: 3, word: 48 },
    joiners: joiners.slice(1, 5),
    takes: (order) => index(order, 'word') === 0 && bodyLast(order),
  },
  {
    size: 4,
    most: { method: 1, address: 4, time: 2, value: 3, word: 0 },
    joiners: joiners.slice(0, 5),
    takes: (order) => methodFirst(order) && (bodyLast(order) || index(order, 'body') === 0),
  },
  {
    size: 5,
    most: { method: 1, address: 4, time: 2, value: 2, word: 0 },
    joiners: joiners.slice(0, 5),
    takes: (order) => methodFirst(order) && bodyLast(order),
  },
];

/** Units of one kind, and how many of them one content may have. */
interface Choice {
  readonly units: readonly Unit[];
  readonly times: number;
}

function choicesOf(from: Ingredients, { most }: Level): readonly Choice[] {
  const choice = (kind: keyof Level['most'], all: readonly Recipe[], times = 1): Choice => ({
    units: all.slice(0, most[kind]).map((pieces) => ({ kind, pieces })),
    times,
  });
  const single = (all: readonly Ingredient[]): Recipe[] => all.map((one) => [one]);
  return [
    choice('method', single([from.method, from.lowerMethod])),
    choice('address', from.addresses),
    choice('time', single([...from.timestamps, ...from.respelled])),
    choice('word', single(from.words)),
    choice('value', single(from.values), 3),
  ];
}

/** All ways to choose `size` units. */
function* choose(choices: readonly Choice[], size: number): Generator<readonly Unit[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (const [at, { units, times }] of choices.entries()) {
    for (const [place, unit] of units.entries()) {
      const again = times > 1 ? [{ units: units.slice(place + 1), times: times - 1 }] : [];
      for (const more of choose([...again, ...choices.slice(at + 1)], size - 1)) {
        yield [unit, ...more];
      }
    }
  }
}

function* orders<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length <= 1) {
    yield items;
    return;
  }
  for (const [at, first] of items.entries()) {
    for (const rest of orders(items.toSpliced(at, 1))) {
      yield [first, ...rest];
    }
  }
}

/** The units joined by each joiner. With newlines as joiner, also with one more newline at the end. */
function* joined(order: readonly Unit[], all: readonly string[], end: Recipe = []): Generator<Recipe> {
  const pieces = order.flatMap((unit) => unit.pieces);
  for (const joiner of all) {
    const recipe = pieces.flatMap((piece, at) => (at > 0 && joiner !== '' ? [literal(joiner), piece] : [piece]));
    yield [...recipe, ...end];
    if (joiner === '\n') {
      yield [...recipe, literal('\n'), ...end];
    }
  }
}
