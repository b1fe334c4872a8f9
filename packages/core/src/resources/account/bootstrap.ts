import type { Host } from '../../operation/context.ts'
import { ApiError } from '../../operation/errors.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { unitOfWork } from '../../storage/unit-of-work.ts'
import { members } from '../members/member.ts'
import { issueToken, newTokenValue } from '../tokens/issue-token.ts'
import { accounts } from './account.ts'

export interface BootstrapInput {
  /** Value of the administrator's token, at least 16 characters; made when left out. */
  readonly token?: string
  readonly email?: string
  readonly firstName?: string
  readonly lastName?: string
}

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
  const token = input.token ?? newTokenValue(host)
  if (!/^[\x21-\x7e]{16,512}$/.test(token)) {
    const reason = 'must be 16 to 512 printable ASCII characters without spaces'
    throw new ApiError('invalid_request', { errors: [{ attribute: 'token', reason }] })
  }
  const unit = unitOfWork(storage)
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
  await issueToken(unit, host, now, token, {
    name: 'Administrator',
    description: 'Made with the account',
    ownerId: memberId,
    memberId,
    serviceToken: false,
    grant: { role: 'admin' },
    ceiling: [],
    defaultApiVersion: 20240415,
  })
  // Whoever lost the race against another process finds the account there: that is no failure.
  return (await unit.commit()) === undefined ? { token, memberId } : undefined
}
