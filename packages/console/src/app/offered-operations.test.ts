import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { pagePaths } from '../console-paths.ts'
import { menu, menuPageOf } from './menu.ts'

/** The actions of operations whose definition names only the right to view. */
const actionsOfHandlers: Readonly<Record<string, string>> = {
  patchAIConfigTargeting: 'updateAIConfigTargeting',
}

/**
 * Operations whose required rights only the API knows. For example, a revert needs the rights to the changes of the
 * reverted entry.
 */
const checkedByApi = ['revertChangeLogEntry']

/** The text of the source of the console. */
const source = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
  .join('\n')

it('the source of the console names a required action for every changing operation that it calls', async () => {
  const engine = createEngine({ storage: createMemoryStorage() })
  const called = new Set([...source.matchAll(/\bapi\s*\.(\w+)\(/g)].map(([, id]) => id))
  const referencedIds = new Set([...source.matchAll(/['"]([a-zA-Z]+)['"]/g)].map(([, text]) => text))
  const unnamed: string[] = []
  let changes = 0
  for (const { id, method, dry, access } of await engine.definitions()) {
    if (!called.delete(id) || method === 'GET' || dry || checkedByApi.includes(id)) continue
    changes++
    const ofAccess = 'action' in access ? access.action : 'open' in access ? (access.demands ?? []) : []
    const actions = actionsOfHandlers[id] ?? ofAccess
    if (![actions].flat().some((action) => referencedIds.has(action))) unnamed.push(id)
  }
  await engine.close()
  expect(unnamed).toEqual([])
  expect([...called], 'operations that do not exist').toEqual([])
  expect(changes).toBeGreaterThan(50)
})

it('every page is in the menu, or belongs to a page that is in the menu', () => {
  const inMenu: readonly string[] = Object.values(menu).flat()
  const pages = (Object.keys(pagePaths) as (keyof typeof pagePaths)[]).filter((page) => page !== 'home')
  expect(pages.filter((page) => !inMenu.includes(menuPageOf(page)))).toEqual([])
})
