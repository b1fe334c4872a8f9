import type { Fault } from '../../rules/json-guard.ts'
import type { Reader } from '../../storage/unit-of-work.ts'
import { members } from '../members/member.ts'
import { teams } from '../teams/team.ts'
import type { Flag } from './flag.ts'

type Maintainer = Pick<Flag, 'maintainerId' | 'maintainerTeamKey'>

/** What is wrong with those who shall maintain a flag: they must be there. */
export async function maintainerFaults(
  tx: Reader,
  { maintainerId, maintainerTeamKey }: Maintainer,
): Promise<(Fault & { readonly attribute: keyof Maintainer })[]> {
  const [member, team] = await Promise.all([
    maintainerId === undefined || tx.get(members, { memberId: maintainerId }),
    maintainerTeamKey === undefined || tx.get(teams, { teamKey: maintainerTeamKey }),
  ])
  return [
    ...(member ? [] : [{ attribute: 'maintainerId', reason: 'must be the id of a member' } as const]),
    ...(team ? [] : [{ attribute: 'maintainerTeamKey', reason: 'must be the key of a team' } as const]),
  ]
}
