import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import ts from 'typescript'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { schemasOnDemand } from './schemas-on-demand.ts'

/** A library of schemas that tells which were made, and what makes cards. */
const kernel = {
  'v.ts': `
    export const made: string[] = []
    export const object = <T>(name: string, of?: T) => (made.push(name), { name, of })`,
  'operation.ts': `
    export const operation = <T>(card: T) => card
    export const getCard = (card: any) => operation({ id: card.id, success: { body: card.answer } } as never) as any`,
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'halyard-on-demand-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Rewrites sources, and imports what becomes of `index.ts`. */
async function imported(sources: Readonly<Record<string, string>>) {
  const all = { ...kernel, ...sources }
  const files = Object.keys(all).map((name) => path.join(folder, name))
  for (const [name, text] of Object.entries(all)) writeFileSync(path.join(folder, name), text)
  const texts = schemasOnDemand(path.join(folder, 'index.ts'), files)
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
  for (const file of files) {
    const text = texts.get(file) ?? (all[path.basename(file) as keyof typeof all] as string)
    const { outputText } = ts.transpileModule(text, { compilerOptions })
    writeFileSync(file.replace(/ts$/, 'mjs'), outputText.replaceAll(/\.ts'/g, ".mjs'"))
  }
  return { exports: await import(path.join(folder, 'index.mjs')), texts }
}

const format = `import * as v from './v.ts'\n`

it('makes nothing while it is imported, and each once when it is asked for', async () => {
  const { exports } = await imported({
    'wire.ts': `${format}
      const parts = (name: string) => v.object(name)
      const part = parts('part')
      export const whole: { name: string } = v.object('whole', part)
      export const pair = { whole, twice: [whole, part] as const }`,
    'index.ts': `
      import { pair, whole as all } from './wire.ts'
      export { made } from './v.ts'
      export const ask = () => [all.name, pair.twice[0] === all, pair.whole === all]`,
  })
  expect(exports.made).toEqual([])
  expect(exports.ask()).toEqual(['whole', true, true])
  exports.ask()
  expect(exports.made).toEqual(['part', 'whole'])
})

it('leaves cards values whose members with schemas are made when they are looked at', async () => {
  const { exports } = await imported({
    'wire.ts': `${format} export const flagWire = v.object('flag')`,
    'index.ts': `${format}
      import { getCard, operation } from './operation.ts'
      import { flagWire } from './wire.ts'
      export { made } from './v.ts'
      export const long = operation({ id: 'long', query: v.object('query'), success: { status: 200, body: flagWire } })
      export const short = getCard({ id: 'short', answer: flagWire })`,
  })
  const { made, long, short } = exports
  expect([long.id, short.id, made]).toEqual(['long', 'short', []])
  expect(Object.keys(long)).toEqual(['id', 'query', 'success'])
  expect(long.query).toBe(long.query)
  expect(short.success.body).toBe(long.success.body)
  expect(made).toEqual(['query', 'flag'])
})

it('follows names, also where they are taken from a member, given on or hidden by others', async () => {
  const { exports } = await imported({
    'wire.ts': `${format}
      const { of: inner, name: outer } = v.object('outer', { a: 1 })
      export const { name } = v.object('named')
      export const pair = () => ({ inner, outer })`,
    'index.ts': `
      import { name, pair } from './wire.ts'
      export { made } from './v.ts'
      export const kept = (name: string) => name
      export const given = () => ({ name, ...pair(), other: { name: 1 }.name })`,
  })
  expect(exports.made).toEqual([])
  expect(exports.kept('mine')).toBe('mine')
  expect(exports.given()).toEqual({ name: 'named', inner: { a: 1 }, outer: 'outer', other: 1 })
  expect(exports.made).toEqual(['named', 'outer'])
})

it('leaves what others import, types, and the lines where they are', async () => {
  const { exports, texts } = await imported({
    'wire.ts': `${format}
      export const list = v.object(
        'list',
      )
      export type List = typeof list
      export const late = v.object('late')`,
    'index.ts': `export { list, type List } from './wire.ts'\nexport { made } from './v.ts'`,
  })
  expect([exports.list.name, exports.made]).toEqual(['list', ['list']])
  const text = texts.get(path.join(folder, 'wire.ts')) as string
  expect(text.split('\n')).toHaveLength(7)
  expect(text.split('\n')[6]).toContain('function late()')
})
