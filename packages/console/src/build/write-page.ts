import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { bundleApp } from './bundle-app.ts'
import { bundlePage } from './bundle-page.ts'
import { readLicenses } from './read-licenses.ts'

// The files are written as one module, so that the page can be served where there is no file system.
const dist = path.resolve(import.meta.dirname, '../../dist')
await writeFile(path.join(dist, 'page.js'), `export const files = ${JSON.stringify(await bundlePage())}\n`)
const app = await bundleApp()
await writeFile(path.join(dist, 'app.js'), `export const files = ${JSON.stringify(app.files)}\n`)

// The licenses of bundled packages are shipped with them.
const echarts = createRequire(import.meta.url).resolve('echarts/package.json')
const zrender = createRequire(echarts).resolve('zrender/package.json')
const folders = new Set([...[echarts, zrender].map((manifest) => path.dirname(manifest)), ...app.packages])
await writeFile(path.join(dist, 'THIRD-PARTY.txt'), (await Promise.all([...folders].map(readLicenses))).join('\n\n'))
