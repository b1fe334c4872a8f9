import { effect, type Signal, signal } from '@preact/signals'
import { consolePaths } from '../console-paths.ts'
import { callConsole, session } from './session.ts'

/** Whether the person may do an action, with the reason and what comes closest to allowing it. */
export interface Right {
  readonly allowed: boolean
  readonly text: string
  readonly nearMisses: readonly string[]
}

const known = new Map<string, Signal<Right | undefined>>()
let waiting: { readonly action: string; readonly resource: string; readonly right: Signal<Right | undefined> }[] = []

/** Maximum number of rights in a request. */
const maxQueries = 200

/** Returns the right to an action on a resource; its value is undefined until the server has responded. */
export function rightTo(action: string, resource: string): Signal<Right | undefined> {
  const key = `${action} ${resource}`
  const existing = known.get(key)
  if (existing) return existing
  const right = signal<Right | undefined>(undefined)
  known.set(key, right)
  if (waiting.push({ action, resource, right }) === 1) queueMicrotask(() => void ask())
  return right
}

/** Asks for all rights that components wait for, together. */
async function ask(): Promise<void> {
  const asked = waiting
  waiting = []
  for (let start = 0; start < asked.length; start += maxQueries) {
    const part = asked.slice(start, start + maxQueries)
    const queries = part.map(({ action, resource }) => ({ action, resource }))
    try {
      const { items } = await callConsole<{ items: Right[] }>(consolePaths.rights, { queries })
      for (const [index, { right }] of part.entries()) right.value = items[index]
    } catch {
      // Nothing is offered whose right is unknown. The next visit of a page asks again.
      for (const { action, resource } of part) known.delete(`${action} ${resource}`)
    }
  }
}

/** Forgets all rights, for example because another person has signed in. */
export function forgetRights(): void {
  known.clear()
}

effect(() => {
  if (!session.value?.signedIn) forgetRights()
})
