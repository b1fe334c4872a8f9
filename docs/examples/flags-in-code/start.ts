import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
await engine.api.createFlag({ projectKey: 'shop', body: { key: 'old-banner', name: 'Old banner' } }, { as })

// #region start
import { compareFlags, connectFlags } from '@halyard/core/flags'
import { flags } from './flags.ts'

const { registered, archived, undeclared } = await compareFlags(flags, engine, 'shop', { as, register: true })
await connectFlags(flags, engine.evaluator({ projectKey: 'shop', environmentKey: 'production' }))
console.log({ registered, archived, undeclared })
// #endregion

// #region use
const ann = { kind: 'user', key: 'ann', country: 'de' }
const theme: 'light' | 'dark' = flags.theme(ann)
if (flags.checkout(ann)) console.log('the new checkout')
else console.log('the old checkout,', theme, flags.retry(ann).times)
// #endregion
await engine.close()
