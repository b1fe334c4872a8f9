// Writes what `require` loads of the package in the working directory, once its modules are built.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const { require } of Object.values(exports)) if (require) await writeCommonJs(require.default)

/**
 * Writes a module that requires the ES module beside it, as Node does since 20.19: a process has one copy of a package,
 * however it is imported. The declarations refer to those of the ES module.
 *
 * @param {string} file the path of the CommonJS module, e.g. `./dist/index.cjs`.
 */
async function writeCommonJs(file) {
  const module = path.resolve(file.replace(/\.cjs$/, '.js'))
  const specifier = `./${path.basename(module)}`
  const lines = Object.entries(await import(pathToFileURL(module).href)).flatMap(([name, value]) => [
    `export declare const ${name}: Module['${name}']`,
    ...(isClass(value) ? [`export type ${name} = InstanceType<Module['${name}']>`] : []),
  ])
  const types = [
    `export type * from '${specifier}' with { 'resolution-mode': 'import' }`,
    `type Module = typeof import('${specifier}', { with: { 'resolution-mode': 'import' } })`,
    ...lines,
  ]
  writeFileSync(file, `module.exports = require('${specifier}')\n`)
  writeFileSync(file.replace(/\.cjs$/, '.d.cts'), `${types.join('\n')}\n`)
}

function isClass(value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}
