import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Plan, planLimits } from '../../contract/limits.ts';
import type { ReferenceOptions } from '../../fixtures/reference/deployment.ts';
import type { Ports } from '../../fixtures/reference/listen.ts';
import { createCommand } from '../command.ts';

/** The arguments of `npm run reference`. */
export interface Given {
  readonly list: boolean;
  readonly reference: ReferenceOptions;
  readonly ports: Ports;
  readonly envFile: string | undefined;
}

const numberFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    }
    return value;
  };

function portFrom(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('It must be a port.');
  }
  return Number(text);
}

function urlFrom(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new InvalidArgumentError('It must be an http or https URL.');
  }
  return text;
}

const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function choiceFrom(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at <= 0) {
    throw new InvalidArgumentError('It must be of the form NAME=VALUE.');
  }
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

export const createReferenceCommand = (): Command =>
  createCommand(
    'reference',
    '[options]',
    'Serves the reference deployment on loopback, and prints one line of JSON with the settings that point a run at it. Ends with 0 on SIGTERM or SIGINT.',
  )
    .option('--port <n>', 'port of the developer API (0 picks a free port)', portFrom, 0)
    .option('--workspace-port <n>', 'port of the workspace API (0 picks a free port)', portFrom, 0)
    .option('--fault <id>', 'a fault to serve (repeatable)', collected)
    .option('--upstream <url>', 'stand before this developer API, and add faults that change answers alone', urlFrom)
    .option('--workspace-upstream <url>', 'the same for a workspace API', urlFrom)
    .option('--choice <name=value>', 'a choice that the documents leave open (repeatable)', choiceFrom)
    .option('--clock-speed <n>', 'how many times faster its rate-limit windows pass', numberFrom(0.001, 1_000_000), 1)
    .addOption(new Option('--plan <name>', "the workspace's plan (default: starter)").choices(Object.keys(planLimits)))
    .option('--latency <ms>', 'how long each answer takes', numberFrom(0, 60_000), 0)
    .option('--env-file <file>', 'also write the settings to a file in the format of .env')
    .option('--list', 'print all faults and choices');

/** The parsed arguments of that command. */
export function givenTo(command: Command): Given {
  const given = command.opts<{
    port: number;
    workspacePort: number;
    fault?: readonly string[];
    upstream?: string;
    workspaceUpstream?: string;
    choice?: Readonly<Record<string, string>>;
    clockSpeed: number;
    plan?: Plan;
    latency: number;
    envFile?: string;
    list?: true;
  }>();
  return {
    list: given.list ?? false,
    reference: {
      faults: given.fault ?? [],
      choices: given.choice ?? {},
      upstream: {
        ...(given.upstream === undefined ? {} : { developer: given.upstream }),
        ...(given.workspaceUpstream === undefined ? {} : { workspace: given.workspaceUpstream }),
      },
      clockSpeed: given.clockSpeed,
      ...(given.plan === undefined ? {} : { plan: given.plan }),
    },
    ports: { port: given.port, workspacePort: given.workspacePort, latencyMs: given.latency },
    envFile: given.envFile,
  };
}
