import { flagsAdapter, forceFlags } from '@halyard/core/flags'

// const checkout = flag<boolean>({ key: 'checkout', defaultValue: false, adapter: flagsAdapter(evaluator), identify })
const adapter = flagsAdapter<boolean>(forceFlags({ checkout: true }))
const entities = { kind: 'user', key: 'ann' }
console.log(await adapter.decide({ key: 'checkout', entities, defaultValue: false })) // true
