import { connectFlags, defineFlags } from '@halyard/core/flags'
import { createTestEngine } from '@halyard/testing'

const flags = defineFlags({
  checkout: { type: 'boolean', fallback: false },
  theme: { type: 'string', fallback: 'light', values: ['light', 'dark'] },
})
const engine = await createTestEngine()
await engine.given.project('shop')
await engine.given.flag('shop', 'theme', { variations: [{ value: 'light' }, { value: 'dark' }] })
await connectFlags(flags, engine.evaluator({ projectKey: 'shop', environmentKey: 'production' }))
const theme: 'light' | 'dark' = flags.theme({ kind: 'user', key: 'ann' })
console.log(theme) // dark
