import { connectFlags, defineFlags, forceFlags } from '@halyard/core/flags'

const flags = defineFlags({
  checkout: { type: 'boolean', fallback: false },
  theme: { type: 'string', fallback: 'light' },
})
await connectFlags(flags, forceFlags({ checkout: true }))
const ann = { kind: 'user', key: 'ann' }
console.log(flags.checkout(ann), flags.theme(ann)) // true light
