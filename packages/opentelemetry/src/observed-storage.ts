import { type AccountStorage, isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { type Attributes, type Meter, SpanKind } from '@opentelemetry/api'
import { durationOf, type End, type Ended, type Telemetry } from './telemetry.ts'

/** The verbs that resolve with a result. The others subscribe or return a stream, and are not observed. */
const verbs = [
  'get',
  'getMany',
  'list',
  'hasKey',
  'findKeys',
  'countKeys',
  'pageKeys',
  'scan',
  'newest',
  'take',
  'listTasks',
  'commit',
  'reserve',
] as const satisfies readonly (keyof AccountStorage)[]

/** Returns a function that wraps a storage so that each call of a verb has a span, without stored data and queries. */
export function observedStorage(observe: Telemetry, meter: Meter): (storage: Storage) => Storage {
  const duration = durationOf(meter, 'halyard.storage.duration', 'Duration of storage queries and commits.')

  function observed(storage: Storage): Storage {
    const named = { 'halyard.storage': storage.name }
    const within = storage.within?.bind(storage)
    const observedVerb = (ask: (...input: never[]) => Promise<unknown>, verb: string) => {
      const attributes = { ...named, 'halyard.storage.verb': verb }
      return (...input: never[]) =>
        observe({
          name: `storage ${verb}`,
          kind: SpanKind.CLIENT,
          attributes,
          duration,
          run: () => ask(...input),
          ended: (result) => endOf(attributes, verb, result),
        })
    }
    return around(storage, {
      account: (account: string) => {
        const inner = storage.account(account)
        const watched = verbs.flatMap((verb) => {
          const ask = inner[verb]
          return ask ? [[verb, observedVerb(ask.bind(inner), verb)]] : []
        })
        return around(inner, Object.fromEntries(watched))
      },
      ...(within && { within: (transaction: unknown) => observed(within(transaction)) }),
    })
  }

  return observed
}

/**
 * Returns the same object with some properties replaced. The original may have private state, so its methods are bound
 * to it.
 */
function around<T extends object>(inner: T, others: Partial<T>): T {
  return new Proxy(inner, {
    get(target, name) {
      if (Object.hasOwn(others, name)) return others[name as keyof T]
      const member = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

function endOf(attributes: Attributes, verb: string, result: Ended<unknown>): End {
  if ('error' in result) {
    const type = isStorageUnavailable(result.error) ? 'service_unavailable' : 'internal_error'
    return { measured: { ...attributes, 'error.type': type }, failed: true }
  }
  const outcome = verb === 'commit' ? (result.value as { readonly outcome: string }).outcome : undefined
  const measured = outcome === undefined ? attributes : { ...attributes, 'halyard.storage.outcome': outcome }
  return { measured, failed: false }
}
