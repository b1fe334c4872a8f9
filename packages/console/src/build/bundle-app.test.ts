import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pagePaths } from '../console-paths.ts'
import { type AppFiles, bundleApp } from './bundle-app.ts'
import { readLicenses } from './read-licenses.ts'

/** Maximum size of what the browser loads for the first page, compressed, bytes. */
const maxFirstLoad = 200_000

/** Returns a script with all scripts that it imports statically. */
function loadedWith(assets: AppFiles['assets'], name: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(name)) return loaded
  loaded.add(name)
  for (const [, part] of (assets[name] ?? '').matchAll(/(?:from|import)"\.\/([^"]+)"/g))
    loadedWith(assets, part ?? '', loaded)
  return loaded
}

const sizeOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + gzipSync(text).length, 0)

it('the console loads at most 200 kB for any first page, and the code of other pages only when they are visited', async () => {
  const { html, assets } = (await bundleApp()).files
  const entry = Object.keys(assets).find((name) => name.startsWith('app-') && name.endsWith('.js')) ?? ''
  const style = Object.keys(assets).find((name) => name.endsWith('.css')) ?? ''
  const pages = [...(assets[entry] ?? '').matchAll(/await import\("\.\/([^"]+)"\)\)\.(\w+Page)/g)]
  expect(pages.length).toBe(Object.keys(pagePaths).length)
  const atFirst = loadedWith(assets, entry)
  const preloaded = [...html.matchAll(/rel="modulepreload" href="{{base}}\/-\/assets\/([^"]+)"/g)].map(
    ([, name]) => name,
  )
  expect(new Set([entry, ...preloaded])).toEqual(atFirst)
  for (const [, chunk = '', page] of pages) {
    expect(atFirst, page).not.toContain(chunk)
    const scripts = [...loadedWith(assets, chunk, new Set(atFirst))].map((name) => assets[name] ?? '')
    expect(sizeOf([html, assets[style] ?? '', ...scripts]), page).toBeLessThan(maxFirstLoad)
  }
}, 60_000)

it('the console bundles only packages that contain a license file', async () => {
  const { packages } = await bundleApp()
  for (const folder of packages) expect(await readLicenses(folder)).toMatch(/copyright/i)
  expect(packages.map((folder) => folder.split(/[\\/]/).at(-1))).toContain('preact')
}, 60_000)
