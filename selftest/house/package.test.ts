import { expect, test } from 'vitest';
import { textOf } from './source-files.ts';

interface Manifest {
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
interface Locked {
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
}

const manifest = JSON.parse(textOf('package.json')) as Manifest;
const lock = JSON.parse(textOf('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> };
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('the lock file names no registry, and a digest for every package', () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  expect(locked.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
});

test('install scripts run only for packages that package.json allows', () => {
  const withInstallScript = locked
    .filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
    .map(([path]) => nameOf(path));
  expect(withInstallScript.toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
});

test('Vitest is the one of the project that installs the package: tests that a second copy declares are never run', () => {
  const { peerDependencies, dependencies, devDependencies } = manifest;
  expect(Object.keys(peerDependencies)).toEqual(['vitest']);
  expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain('vitest');
});
