import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'tsup'

type Conditions = { readonly [condition: string]: string | Conditions }

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>
  readonly exports: Conditions
}

const folder = process.cwd()
const { exports, bin = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest

/** Each export that has conditions, without `./package.json`. */
const conditional = Object.values(exports).filter((conditions) => typeof conditions === 'object')

/** Returns the path under the last of the conditions that has a name, e.g. `./dist/index.js` under `default`. */
function lastPath(conditions: Conditions, condition: string): string | undefined {
  const paths = Object.entries(conditions).map(([name, inner]) => {
    if (typeof inner === 'object') return lastPath(inner, condition)
    return name === condition ? inner : undefined
  })
  return paths.findLast((found) => found !== undefined)
}

/** Returns the name of a built file, e.g. `web` of `./dist/web.cjs`. */
function builtName(conditions: Conditions): string {
  return path.parse(lastPath(conditions, 'default') as string).name
}

const commands = Object.values(bin).map((file) => path.parse(file).name)

/** The source of each built file, by its name. */
const entry = {
  ...Object.fromEntries(
    conditional.map((conditions) => [builtName(conditions), lastPath(conditions, '@halyard/source') as string]),
  ),
  ...Object.fromEntries(commands.map((name) => [name, `src/${name}.ts`])),
}

/**
 * Builds a package from its manifest: each export from the source that the manifest names. The code is not minified, so
 * that stack traces show its names and lines; source maps, which would name sources that are not published, are left
 * out.
 */
export default defineConfig({
  entry,
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  // Dependencies and peers stay imports as well; development dependencies are bundled.
  external: [/^node:/, /^#/],
  removeNodeProtocol: false,
  clean: true,
  dts: { compilerOptions: { composite: false, ignoreDeprecations: '6.0' } },
  tsconfig: path.join(import.meta.dirname, 'tsconfig.build.json'),
})
