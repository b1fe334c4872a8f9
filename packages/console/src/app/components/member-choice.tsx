import { useState } from 'preact/hooks'
import { api, type Member } from '../api.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { CheckField, TextField } from './fields.tsx'

/** Maximum number of members that are choices at a time. */
const maxChoices = 100

/** Reads the members with these ids, without those that the person may not view. */
export function useMembers(ids: readonly string[]): readonly Member[] {
  const memberIds = [...new Set(ids)].sort()
  return useQuery(`members ${memberIds.join(' ')}`, () => readMembers(memberIds)).data ?? []
}

/** Reads members in one request, and in a large account one more for each that is not among its first members. */
async function readMembers(memberIds: readonly string[]): Promise<Member[]> {
  if (memberIds.length === 0) return []
  const { items, totalCount } = await api.listMembers({ limit: maxChoices }).catch(() => ({ items: [], totalCount: 0 }))
  const first = new Map(items.map((member) => [member._id, member]))
  const readOther = (id: string) => api.getMember({ id }).catch(() => undefined)
  const read = (id: string) => first.get(id) ?? (totalCount > maxChoices ? readOther(id) : undefined)
  const members = await Promise.all(memberIds.map(read))
  return members.filter((member) => member !== undefined)
}

/**
 * Reads the first members that contain words in their names or addresses. `isLong` becomes true, and stays true, when
 * the account has more members than are read at a time, so that a person has to search.
 */
export function useMemberSearch(words: string): { readonly members: readonly Member[]; readonly isLong: boolean } {
  const filter = words.trim() === '' ? {} : { filter: `query:${words.trim().replace(/[,:+]/g, ' ')}` }
  const { data } = useQuery('found members', () => api.listMembers({ limit: maxChoices, ...filter }), words.trim())
  const [isLong, setLong] = useState(false)
  // The search field stays visible when a search finds few members.
  if (!isLong && (data?.totalCount ?? 0) > maxChoices) setLong(true)
  return { members: data?.items ?? [], isLong }
}

/** Returns the name of a member, or the address of one without a name. */
export function memberName({ firstName, lastName, email }: Member): string {
  return `${firstName ?? ''} ${lastName ?? ''}`.trim() || email
}

/** A field for the words of a search for members. */
export function MemberSearchField({ words, onWords }: { words: string; onWords: (words: string) => void }) {
  return <TextField label={texts.searchMembers} type="search" value={words} onValue={onWords} />
}

/**
 * A checkbox for each member; in an account with many members, for the chosen ones and those that a search finds.
 * Nothing is shown to a person who may view no member.
 */
export function MemberChoice({
  legend,
  chosen,
  onChange,
}: {
  legend: string
  /** Ids of the chosen members. */
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
}) {
  const [words, setWords] = useState('')
  const { members, isLong } = useMemberSearch(words)
  const missing = chosen.filter((id) => !members.some(({ _id }) => _id === id))
  const others = useMembers(missing)
  if (members.length === 0 && !isLong) return null
  return (
    <fieldset>
      <legend>{legend}</legend>
      {isLong && <MemberSearchField words={words} onWords={setWords} />}
      {[...others, ...members].map((member) => (
        <CheckField
          key={member._id}
          label={memberName(member)}
          checked={chosen.includes(member._id)}
          onChecked={(on) => onChange(on ? [...chosen, member._id] : chosen.filter((id) => id !== member._id))}
        />
      ))}
    </fieldset>
  )
}
