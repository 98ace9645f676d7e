import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createCommand } from '../cli/command.ts';
import { commandLine } from './command.ts';

/**
 * `npm run build`: makes dist/, the package as JavaScript with the types of what may be imported, from the TypeScript that
 * the commands of a clone run as it is, and the JSON Schemas of the files that users write and read.
 */
const folder = 'dist';
const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
/** Entry points whose types users see. That of ./vitest is written below: its types would be those of the whole suite. */
const typed = ['index.ts', 'webhooks/index.ts', 'limits/index.ts'];
/** What the commands read beside their code. */
const assets = ['{reports,load,webhooks,settings}/**/*.{css,js,mjs,mts,py,json}', 'load/k6/*'];

const compile = (...options: readonly string[]): void => {
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', ...options], { stdio: 'inherit' });
};

commandLine(
  createCommand('build', '', 'Makes dist/, the package as JavaScript, with the types of what may be imported.'),
);
rmSync(folder, { recursive: true, force: true });
// `npm run typecheck` checks the code; here it would take three times as long.
compile('--noCheck');
writeFileSync(
  join(folder, 'tsconfig.types.json'),
  JSON.stringify({
    extends: '../tsconfig.build.json',
    compilerOptions: { declaration: true, emitDeclarationOnly: true, sourceMap: false, outDir: '.', rootDir: '..' },
    include: [],
    files: typed.map((file) => `../${file}`),
  }),
);
execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.types.json')], { stdio: 'inherit' });
rmSync(join(folder, 'tsconfig.types.json'));
writeFileSync(
  join(folder, 'suites', 'vitest.d.ts'),
  "/** Declares the clauses of an API as tests of the file that calls it; `given`: settings. */\nexport declare function clauses(api: 'developer' | 'workspace', given?: Readonly<Record<string, string>>): void;\n",
);
const isSource = (file: string): boolean => !/^(reports[\\/](latest|recorded|proof|mutants)|.*tsconfig)/.test(file);
for (const file of globSync(assets).filter(isSource)) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  copyFileSync(file, join(folder, file));
}
mkdirSync(join(folder, 'schemas'), { recursive: true });
for (const file of globSync('{reports,results,settings,webhooks}/*.schema.json')) {
  copyFileSync(file, join(folder, 'schemas', basename(file)));
}
copyFileSync('package.json', join(folder, 'package.json'));
