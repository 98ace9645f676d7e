import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { repeatScript } from '../../../reports/repeat.ts';
import { findingAbout, resultsOf, runOf } from './sample.ts';
import { samples } from './sample-runs.ts';

const shell = (script: string, ...args: readonly string[]) =>
  spawnSync('sh', ['-s', ...args], { input: script, encoding: 'utf8' });

const failing = (curl: string) =>
  runOf({ results: resultsOf({ 'developer.auth.query': { verdict: 'fail', findings: [findingAbout(1, { curl })] } }) });

describe('repeat.sh', () => {
  test('runs only the lines of the named clause', () => {
    const script = repeatScript(failing("printf '%s' 'a;;esac'\nprintf ' %s' b"));
    expect(shell(script, 'developer.auth.query')).toMatchObject({ status: 0, stdout: 'a;;esac b' });
    expect(shell(script)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('developer.auth.query'),
    });
  });

  test('ends at once, and says so, if a needed setting is not set', () => {
    const script = repeatScript(failing('MADE=$(printf "${NO_SUCH_SETTING:?}")\nprintf reached'));
    const { status, stdout, stderr } = shell(script, 'developer.auth.query');
    expect(status).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('NO_SUCH_SETTING: must be set as for the run');
  });

  test('leaves out a script that was cut, since half of it would not be valid shell', () => {
    expect(shell(repeatScript(failing(`echo '${'x'.repeat(20_000)}'`)), 'developer.auth.query').status).toBe(2);
  });

  test.each(Object.entries(samples))('is shell on the run %s', (_name, run) => {
    expect(spawnSync('sh', ['-n'], { input: repeatScript(run), encoding: 'utf8' }).stderr).toBe('');
  });
});
