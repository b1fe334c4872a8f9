import { moveAccount } from '@halyard/storage-postgres'
import pg from 'pg'

const [east, west] = [new pg.Pool({ host: 'east' }), new pg.Pool({ host: 'west' })]

export async function moveToWest(account: string): Promise<void> {
  const text = `update routes set shard = 'west' where account = $1`
  const switchRoute = async () => void (await east.query(text, [account]))
  await moveAccount({ account, from: { pool: east }, to: { pool: west }, switchRoute })
}
