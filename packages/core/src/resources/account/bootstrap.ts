import { accounts } from '../../models/account/account.ts'
import { members } from '../../models/members/member.ts'
import type { Host } from '../../operation/context.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { UnitOfWork } from '../../storage/unit-of-work.ts'
import { checkTokenValue, issueFirstToken } from './first-token.ts'

/** The first administrator of an account. */
export interface BootstrapInput {
  /** Value of the administrator's token, at least 16 characters. Generated when omitted. */
  readonly token?: string
  /** Default: `owner@localhost`. */
  readonly email?: string
  /** Default: none. */
  readonly firstName?: string
  /** Default: none. */
  readonly lastName?: string
}

/** Result of the creation of an account. */
export interface BootstrapResult {
  /** The administrator's token. It cannot be read again later. */
  readonly token: string
  readonly memberId: string
}

/** Creates the account, its owner and an administrator's token in one commit, unless the account exists. */
export async function bootstrap(
  storage: AccountStorage,
  host: Host,
  input: BootstrapInput = {},
): Promise<BootstrapResult | undefined> {
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
  const token = await issueFirstToken(unit, host, { memberId, value: input.token })
  // When another process creates the account first, this commit loses the race. That is not an error.
  return (await unit.commit()) === undefined ? { token, memberId } : undefined
}
