import type { BuildOptions } from 'esbuild'
import { bundleApp } from '../../packages/console/src/build/bundle-app.ts'
import { type Bundles, bundleModules } from './bundle-modules.ts'

/** Bundles the worker that serves the console into one file. */
export async function bundleConsole(): Promise<Bundles> {
  return bundleModules({ console: 'test/homes/console-worker.ts' }, await withConsoleFiles())
}

/**
 * Returns build options of a worker with the console, which contains the files that the build of the console writes.
 */
export async function withConsoleFiles(): Promise<Required<Pick<BuildOptions, 'external' | 'plugins'>>> {
  const { files } = await bundleApp()
  return {
    // The insights page is loaded when it is visited, and the modules of Node are loaded when Express calls the
    // handler.
    external: ['#page', 'node:*'],
    plugins: [
      {
        name: 'app of the console',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^#app$/ }, () => ({ path: '#app', namespace: 'built' }))
          const contents = `export const files = ${JSON.stringify(files)}`
          onLoad({ filter: /.*/, namespace: 'built' }, () => ({ contents }))
        },
      },
    ],
  }
}
