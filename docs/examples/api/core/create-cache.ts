import { createCache, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const storage = createMemoryStorage()
const cache = createCache({ responses: 64 * 1024 * 1024 })
const [acme, initech] = ['acme', 'initech'].map((account) => createEngine({ storage, account, cache }))
console.log(acme?.cacheStats().responses.entries, initech?.cacheStats().responses.entries) // 0 0
