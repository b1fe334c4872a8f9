import type { ErrorCode } from '@halyard/core'

/**
 * Declared errors that no generated call causes, each with the reason. The run fails when one of these errors does
 * occur, so that the list stays short and correct.
 */
export const unreachedErrors: Readonly<Record<string, Partial<Record<ErrorCode, string>>>> = {
  invokeFlagTrigger: { invalid_request: 'the instructions of a trigger are valid, and change no more than `on`' },
  putFlagFollower: { invalid_request: 'only when the flag has 100 followers' },
  simulateChanges: {
    optimistic_locking_error:
      'a simulation does not commit, so it cannot lose a race; only a `test` in a listed patch can fail',
  },
  deleteIpAllowlistEntry: {
    invalid_request: "only when the list is on and no other entry contains the caller's address",
  },
  deleteSdkKeyByKey: { invalid_request: 'only the default keys, which every environment has, cannot be deleted' },
  generateTrustPolicy: { invalid_request: 'the tested engines have the option that the operation requires' },
}
