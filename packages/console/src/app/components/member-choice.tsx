import { api, type Member } from '../api.ts'
import { useQuery } from '../use-query.ts'

/** Reads the members that a person can choose from: the first 100. */
export function useMembers(): readonly Member[] {
  return useQuery('members', () => api.listMembers({ limit: 100 })).data?.items ?? []
}

/** Returns the name of a member, or the address of one without a name. */
export function memberName({ firstName, lastName, email }: Member): string {
  return `${firstName ?? ''} ${lastName ?? ''}`.trim() || email
}

/** A checkbox for each member. Nothing is shown to a person who may view no member. */
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
  const members = useMembers()
  if (members.length === 0) return null
  return (
    <fieldset>
      <legend>{legend}</legend>
      {members.map((member) => (
        <label key={member._id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(member._id)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...chosen, member._id] : chosen.filter((id) => id !== member._id))
            }
          />
          {memberName(member)}
        </label>
      ))}
    </fieldset>
  )
}
