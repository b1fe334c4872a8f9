// #region shards
import { createPostgresStorage, createShardedStorage, moveAccount } from '@halyard/storage-postgres'
import pg from 'pg'

const pools = {
  east: new pg.Pool({ connectionString: process.env.EAST_URL }),
  west: new pg.Pool({ connectionString: process.env.WEST_URL }),
}

const storage = createShardedStorage({
  shards: {
    east: createPostgresStorage({ pool: pools.east }),
    west: createPostgresStorage({ pool: pools.west }),
  },
  async shardOf(account) {
    const { rows } = await pools.east.query('select shard from routes where account = $1', [account])
    return rows[0]?.shard ?? 'east'
  },
})
// #endregion

export async function moveToWest() {
  // #region move
  const route = `insert into routes values ('acme', 'west') on conflict (account) do update set shard = excluded.shard`
  await moveAccount({
    account: 'acme',
    from: { pool: pools.east },
    to: { pool: pools.west },
    switchRoute: async () => void (await pools.east.query(route)),
  })
  // #endregion
}

console.log(storage.name)
await storage.close()
await Promise.all([pools.east.end(), pools.west.end()])
