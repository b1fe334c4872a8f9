import { accounts } from '../../models/account/account.ts'
import { members } from '../../models/members/member.ts'
import type { Host } from '../../operation/context.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { UnitOfWork } from '../../storage/unit-of-work.ts'
import { checkTokenValue, issueFirstToken } from './first-token.ts'

/** Who the first administrator of an account is. */
export interface BootstrapInput {
  /** Value of the administrator's token, at least 16 characters; made when left out. */
  readonly token?: string
  /** Default: `owner@localhost`. */
  readonly email?: string
  /** Default: none. */
  readonly firstName?: string
  /** Default: none. */
  readonly lastName?: string
}

/** What was made for a new account. */
export interface Bootstrapped {
  /** The administrator's token. Shown here and never again. */
  readonly token: string
  readonly memberId: string
}

/** Creates the account, its owner and an administrator's token in one commit, unless there is an account already. */
export async function bootstrap(
  storage: AccountStorage,
  host: Host,
  input: BootstrapInput = {},
): Promise<Bootstrapped | undefined> {
  checkTokenValue(input.token)
  const unit = new UnitOfWork(storage)
  if (await unit.get(accounts, {})) return undefined
  const now = host.now()
  const memberId = host.newId()
  unit.insert(accounts, {}, { createdAt: now, ownerId: memberId })
  unit.insert(
    members,
    { memberId },
    {
      id: memberId,
      email: input.email ?? 'owner@localhost',
      firstName: input.firstName ?? '',
      lastName: input.lastName ?? '',
      role: 'owner',
      customRoles: [],
      roleAttributes: {},
      createdAt: now,
    },
  )
  const token = await issueFirstToken(unit, host, memberId, input.token)
  // Whoever lost the race against another process finds the account there: that is no failure.
  return (await unit.commit()) === undefined ? { token, memberId } : undefined
}
