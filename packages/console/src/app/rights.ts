import { computed, effect, type Signal, signal } from '@preact/signals'
import { consolePaths } from '../console-paths.ts'
import { callConsole, FunctionError, session } from './session.ts'

/** Decision about an action of the person, with the reason and what comes closest to allowing it. */
export interface Right {
  readonly allowed: boolean
  readonly text: string
  readonly nearMisses: readonly string[]
}

const known = new Map<string, Signal<Right | undefined>>()
let waiting: { readonly action: string; readonly resource: string; readonly right: Signal<Right | undefined> }[] = []

/** Number of requests for rights that are not answered yet. */
const openRequests = signal(0)

/** True while the page waits for rights that decide which actions it offers. */
export const isLoadingRights = computed(() => openRequests.value > 0)

/** Maximum number of rights in a request. */
const maxQueries = 200

/** Waiting times before a request that failed is sent again, ms. */
const retryDelays = [500, 1_000, 2_000, 4_000, 8_000]

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

/** Requests the rights that components wait for, many in one request. */
async function ask(): Promise<void> {
  const batch = waiting
  waiting = []
  for (let start = 0; start < batch.length; start += maxQueries) {
    const part = batch.slice(start, start + maxQueries)
    const queries = part.map(({ action, resource }) => ({ action, resource }))
    openRequests.value++
    try {
      const items = await requestRights(queries)
      for (const [index, { right }] of part.entries()) right.value = items[index]
    } catch {
      // The page offers no action whose right is unknown. The next visit of a page requests these rights again.
      for (const { action, resource } of part) known.delete(`${action} ${resource}`)
    } finally {
      openRequests.value--
    }
  }
}

/** Requests rights again while the server fails or cannot be reached: without them a page offers nothing. */
async function requestRights(queries: readonly { readonly action: string; readonly resource: string }[]) {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await callConsole<{ items: Right[] }>(consolePaths.rights, { queries })).items
    } catch (error) {
      const delay = retryDelays[attempt]
      const mayPass = error instanceof FunctionError && (error.status === 0 || error.status >= 500)
      if (delay === undefined || !mayPass) throw error
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

/** Clears all rights, for example because another person has signed in. */
export function clearRights(): void {
  known.clear()
}

effect(() => {
  if (!session.value?.signedIn) clearRights()
})
