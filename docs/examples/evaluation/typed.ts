import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const environment = { projectKey: 'shop', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann' }

// #region typed
import type { Flags } from './flags.ts'

const flags = engine.evaluator<Flags>(environment)
const { times } = flags.evaluate('retry', ann, { times: 3 }).value
const theme: 'light' | 'dark' = flags.evaluate('theme', ann, 'light').value
// @ts-expect-error no flag has this key
flags.evaluate('chekout', ann, false)
// @ts-expect-error the values of the flag are numbers
flags.evaluate('max-items', ann, '20')
// #endregion
console.log(times, theme)
