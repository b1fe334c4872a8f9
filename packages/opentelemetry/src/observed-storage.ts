import { type AccountStorage, isStorageUnavailable, type Storage } from '@halyard/core/storage'
import { type Attributes, type Meter, SpanKind } from '@opentelemetry/api'
import { type CallResult, durationHistogram, type End, type Telemetry } from './telemetry.ts'

/** The storage functions that resolve with a result. The others subscribe or return a stream, and are not observed. */
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
  'findSamples',
  'take',
  'listTasks',
  'commit',
  'reserve',
] as const satisfies readonly (keyof AccountStorage)[]

/**
 * Returns a function that wraps a storage so that each call of these functions has a span, without stored data and
 * queries.
 */
export function observeStorage(observe: Telemetry, meter: Meter): (storage: Storage) => Storage {
  const duration = durationHistogram(meter, 'halyard.storage.duration', 'Duration of storage queries and commits.')

  function wrap(storage: Storage): Storage {
    const storageAttributes = { 'halyard.storage': storage.name }
    const within = storage.within?.bind(storage)
    const observedVerb = (callVerb: (...input: never[]) => Promise<unknown>, verb: string) => {
      const attributes = { ...storageAttributes, 'halyard.storage.verb': verb }
      return (...input: never[]) =>
        observe({
          name: `storage ${verb}`,
          kind: SpanKind.CLIENT,
          attributes,
          duration,
          run: () => callVerb(...input),
          describeEnd: (result) => describeVerbEnd(attributes, verb, result),
        })
    }
    return withOverrides(storage, {
      account: (account: string) => {
        const original = storage.account(account)
        const observedVerbs = verbs.flatMap((verb) => {
          const callVerb = original[verb]
          return callVerb ? [[verb, observedVerb(callVerb.bind(original), verb)]] : []
        })
        return withOverrides(original, Object.fromEntries(observedVerbs))
      },
      ...(within && { within: (transaction: unknown) => wrap(within(transaction)) }),
    })
  }

  return wrap
}

/**
 * Returns the same object with some properties replaced. The original may have private state, so its methods are bound
 * to it.
 */
function withOverrides<T extends object>(original: T, overrides: Partial<T>): T {
  return new Proxy(original, {
    get(target, name) {
      if (Object.hasOwn(overrides, name)) return overrides[name as keyof T]
      const property = Reflect.get(target, name)
      return typeof property === 'function' ? property.bind(target) : property
    },
  })
}

function describeVerbEnd(attributes: Attributes, verb: string, result: CallResult<unknown>): End {
  if ('error' in result) {
    const type = isStorageUnavailable(result.error) ? 'service_unavailable' : 'internal_error'
    return { measured: { ...attributes, 'error.type': type }, failed: true }
  }
  const outcome = verb === 'commit' ? (result.value as { readonly outcome: string }).outcome : undefined
  const measured = outcome === undefined ? attributes : { ...attributes, 'halyard.storage.outcome': outcome }
  return { measured, failed: false }
}
