import { createMemoryStorage } from '@halyard/storage-memory'
import { createShardedStorage } from '@halyard/storage-postgres'

const routes = new Map([['acme', 'east']])
const shards = { east: createMemoryStorage(), west: createMemoryStorage() }
const storage = createShardedStorage({ shards, shardOf: (account) => routes.get(account) ?? 'west' })
console.log(storage.name) // sharded
