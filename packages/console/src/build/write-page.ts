import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { bundleApp } from './bundle-app.ts'
import { bundlePage } from './bundle-page.ts'

// The files are written as one module, so that the page can be served where there is no file system.
const dist = path.resolve(import.meta.dirname, '../../dist')
await writeFile(path.join(dist, 'page.js'), `export const files = ${JSON.stringify(await bundlePage())}\n`)
await writeFile(path.join(dist, 'app.js'), `export const files = ${JSON.stringify(await bundleApp())}\n`)

// The licenses of bundled packages are shipped with them.
const echarts = createRequire(import.meta.url).resolve('echarts/package.json')
const zrender = createRequire(echarts).resolve('zrender/package.json')
const sources = [
  [echarts, 'LICENSE'],
  [echarts, 'NOTICE'],
  [zrender, 'LICENSE'],
] as const
const licenses = sources.map(async ([manifest, file]) => {
  const folder = path.dirname(manifest)
  return `${path.basename(folder)}, ${file}\n\n${await readFile(path.join(folder, file), 'utf8')}`
})
await writeFile(path.join(dist, 'THIRD-PARTY.txt'), (await Promise.all(licenses)).join('\n\n'))
