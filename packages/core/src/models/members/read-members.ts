import type { Reader } from '../../storage/reader.ts'
import { type Member, members } from './member.ts'

/** Reads members by their ids, each once. Members who do not exist are omitted. */
export async function readMembers(tx: Reader, memberIds: readonly string[]): Promise<ReadonlyMap<string, Member>> {
  const distinct = [...new Set(memberIds)]
  const documents = await tx.getMany(
    members,
    distinct.map((memberId) => ({ memberId })),
  )
  return new Map(documents.flatMap((member) => (member ? [[member.id, member]] : [])))
}
