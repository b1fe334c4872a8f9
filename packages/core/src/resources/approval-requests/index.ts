import { resource } from '../../operation/resource.ts'
import { applyApprovalRequest } from './apply-approval-request.ts'
import { applyApprovalRequestForFlag } from './apply-approval-request-for-flag.ts'
import { approvalPlaces, approvalRequests as approvalRequestDocuments } from './approval-request.ts'
import { createApprovalRequest } from './create-approval-request.ts'
import { createApprovalRequestForFlag } from './create-approval-request-for-flag.ts'
import { deleteApprovalRequest } from './delete-approval-request.ts'
import { deleteApprovalRequestForFlag } from './delete-approval-request-for-flag.ts'
import { getApprovalRequest } from './get-approval-request.ts'
import { getApprovalRequestForFlag } from './get-approval-request-for-flag.ts'
import { getApprovalRequestSettings } from './get-approval-request-settings.ts'
import { listApprovalRequests } from './list-approval-requests.ts'
import { listApprovalRequestsForFlag } from './list-approval-requests-for-flag.ts'
import { patchApprovalRequest } from './patch-approval-request.ts'
import { patchApprovalRequestForFlag } from './patch-approval-request-for-flag.ts'
import { patchApprovalRequestSettings } from './patch-approval-request-settings.ts'
import { reviewApprovalRequest } from './review-approval-request.ts'
import { reviewApprovalRequestForFlag } from './review-approval-request-for-flag.ts'

export const approvalRequests = resource({
  title: 'Approval requests',
  description: 'Changes that other members have to approve before they are applied.',
  collections: [approvalPlaces, ...Object.values(approvalRequestDocuments)],
  operations: [
    listApprovalRequests,
    createApprovalRequest,
    getApprovalRequest,
    patchApprovalRequest,
    reviewApprovalRequest,
    applyApprovalRequest,
    deleteApprovalRequest,
    listApprovalRequestsForFlag,
    createApprovalRequestForFlag,
    getApprovalRequestForFlag,
    patchApprovalRequestForFlag,
    reviewApprovalRequestForFlag,
    applyApprovalRequestForFlag,
    deleteApprovalRequestForFlag,
    getApprovalRequestSettings,
    patchApprovalRequestSettings,
  ],
  parameters: {
    filter:
      'Comparisons joined by `,` (and), `|` (or) and parentheses, such as `resourceKind equals flag`. Fields: `notifyMemberIds`, `requestorId`, `resourceId`, `resourceKind`, `reviewStatus`, `status`, `projectKey`.',
    resourceKind: 'Kind of resource that the settings apply to.',
  },
})
