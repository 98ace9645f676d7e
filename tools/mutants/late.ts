// Most small functions and patterns stand at the top of a module. The instrumenter chooses between them and their mutants
// while the module loads, which would take a new thread for each mutant. Here the choice is put off until they are used.

const literal = String.raw`\/(?:[^\/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*`;
const active = String.raw`stryMutAct_9fa48\("(\d+)"\) \? `;
const covered = String.raw`\(stryCov_9fa48\([^()]*\), `;
const patterns = new RegExp(`((?:${active}${literal} : )+)${covered}(${literal})\\)`, 'g');
const alternative = new RegExp(`${active}(${literal}) : `, 'g');

/** Instrumented code whose mutated functions and patterns are chosen whenever they are used. */
export function chosenLate(code: string): string {
  return code
    .replace(
      /stryMutAct_9fa48\("(\d+)"\) \? \(\) => undefined : \(stryCov_9fa48\("\1"\), /g,
      (_, number: string) => `stryLate_9fa48("${number}", `,
    )
    .replace(
      patterns,
      (_, alternatives: string, _number: string, original: string) =>
        `stryPattern_9fa48(${original}, [${[...alternatives.matchAll(alternative)].map(([, number, text]) => `["${number}", ${text}]`).join(', ')}])`,
    );
}

/** What instrumented code asks about its mutants. */
export interface Switches {
  isActive(number: string): boolean;
  cover(...numbers: string[]): void;
}

type Alternatives = readonly (readonly [number: string, pattern: RegExp])[];

/** The functions that the code of `chosenLate` calls, by name. */
export function lateSwitches({ isActive, cover }: Switches): Record<string, unknown> {
  const alternativesOf = new WeakMap<RegExp, Alternatives>();
  /** A pattern that is another one while a mutant is active: every method of strings and patterns goes through `exec`. */
  class Pattern extends RegExp {
    constructor(original: RegExp | string, flags?: string) {
      super(original, flags);
      const known = original instanceof RegExp ? alternativesOf.get(original) : undefined;
      if (known) {
        alternativesOf.set(
          this,
          known.map(([number, pattern]) => [number, new RegExp(pattern.source, flags)] as const),
        );
      }
    }

    override exec(text: string): RegExpExecArray | null {
      const alternatives = alternativesOf.get(this) ?? [];
      cover(...alternatives.map(([number]) => number));
      const instead = alternatives.find(([number]) => isActive(number))?.[1];
      if (!instead) {
        return super.exec(text);
      }
      instead.lastIndex = this.lastIndex;
      const found = instead.exec(text);
      this.lastIndex = instead.lastIndex;
      return found;
    }
  }
  return {
    stryLate_9fa48:
      (number: string, original: (...args: unknown[]) => unknown) =>
      (...args: unknown[]) => {
        cover(number);
        return isActive(number) ? undefined : original(...args);
      },
    stryPattern_9fa48: (original: RegExp, alternatives: Alternatives) => {
      const pattern = new Pattern(original);
      alternativesOf.set(pattern, alternatives);
      return pattern;
    },
  };
}
