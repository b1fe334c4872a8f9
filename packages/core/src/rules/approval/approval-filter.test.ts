import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ApprovalTerm, parseApprovalFilter } from './approval-filter.ts'

describe('a filter of approval requests', () => {
  it.each<[string, ApprovalTerm[]]>([
    ['notifyMemberIds anyOf ["m 1", m2]', [{ field: 'notifyMemberIds', values: ['m 1', 'm2'] }]],
    ['requestorId equals m1', [{ field: 'requestorId', value: 'm1' }]],
    [
      'resourceId equals "proj/web:env/production:flag/f"',
      [{ field: 'resourceId', value: 'proj/web:env/production:flag/f' }],
    ],
    ['resourceKind equals aiConfig', [{ field: 'resourceKind', value: 'aiConfig' }]],
    ['resourceKind equals "flag"', [{ field: 'resourceKind', value: 'flag' }]],
    ['reviewStatus anyOf ["approved", pending]', [{ field: 'reviewStatus', values: ['approved', 'pending'] }]],
    ['status anyOf [failed]', [{ field: 'status', values: ['failed'] }]],
    [
      'projectKey equals web,status anyOf [scheduled , completed]',
      [
        { field: 'projectKey', value: 'web' },
        { field: 'status', values: ['scheduled', 'completed'] },
      ],
    ],
  ])('reads %s', (text, terms) => {
    expect(parseApprovalFilter(text)).toEqual({ ok: true, terms })
  })

  it.each([
    ['', 1, 'notifyMemberIds, requestorId, resourceId, resourceKind, reviewStatus, status, projectKey'],
    [
      'constructor equals x',
      1,
      'notifyMemberIds, requestorId, resourceId, resourceKind, reviewStatus, status, projectKey',
    ],
    ['status equals pending', 8, 'anyOf'],
    ['status anyOf pending', 14, '"["'],
    ['status anyOf [open]', 15, 'pending, scheduled, failed, completed'],
    ['status anyOf ["open"]', 15, 'pending, scheduled, failed, completed'],
    ['reviewStatus anyOf []', 21, 'approved, declined, pending'],
    ['resourceKind equals role', 21, 'flag, segment, aiConfig'],
    ['projectKey equals web status', 23, '"," or the end'],
  ])('refuses %s at column %i', (text, column, wanted) => {
    const reason = `column ${column}: must be ${wanted}`
    expect(parseApprovalFilter(text)).toEqual({ ok: false, fault: { attribute: 'filter', reason } })
  })

  it('reads back what is written in quotes', () => {
    const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { minLength: 1 }), (value, values) => {
        const text = `requestorId equals ${quoted(value)} , notifyMemberIds anyOf [${values.map(quoted).join(', ')}]`
        fc.pre(text.length <= 2_000)
        const terms = [
          { field: 'requestorId', value },
          { field: 'notifyMemberIds', values },
        ]
        expect(parseApprovalFilter(text)).toEqual({ ok: true, terms })
      }),
    )
  })
})
