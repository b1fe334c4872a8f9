import { readdirSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'tsup'

const topics = readdirSync(path.join(import.meta.dirname, 'src/entries'))

/** The declarations. `build-code.mjs` writes the code. */
export default defineConfig({
  entry: ['src/index.ts', ...topics.map((file) => `src/entries/${file}`)],
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../../tsconfig.build.json',
  dts: {
    only: true,
    // Declarations include the types of valibot that core exports.
    resolve: ['valibot'],
    compilerOptions: { composite: false, ignoreDeprecations: '6.0' },
  },
})
