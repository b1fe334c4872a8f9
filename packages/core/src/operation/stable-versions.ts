/**
 * The dates of the API's stable versions, as numbers
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d5-version-header).
 */
export const stableVersions: readonly number[] = [20160426, 20191212, 20210729, 20220603, 20240415]
