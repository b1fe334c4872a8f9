import {
  approvalIndex,
  approvalRequests as approvalRequestDocuments,
} from '../../models/approval-requests/approval-request.ts'
import { resource } from '../../operation/resource.ts'
import { applyApprovalRequest } from './apply-approval-request.ts'
import { createApprovalRequest } from './create-approval-request.ts'
import { deleteApprovalRequest } from './delete-approval-request.ts'
import { applyApprovalRequestForFlag } from './for-flag/apply-approval-request-for-flag.ts'
import { createApprovalRequestForFlag } from './for-flag/create-approval-request-for-flag.ts'
import { deleteApprovalRequestForFlag } from './for-flag/delete-approval-request-for-flag.ts'
import { getApprovalRequestForFlag } from './for-flag/get-approval-request-for-flag.ts'
import { listApprovalRequestsForFlag } from './for-flag/list-approval-requests-for-flag.ts'
import { patchApprovalRequestForFlag } from './for-flag/patch-approval-request-for-flag.ts'
import { reviewApprovalRequestForFlag } from './for-flag/review-approval-request-for-flag.ts'
import { getApprovalRequest } from './get-approval-request.ts'
import { listApprovalRequests } from './list-approval-requests.ts'
import { patchApprovalRequest } from './patch-approval-request.ts'
import { reviewApprovalRequest } from './review-approval-request.ts'
import { getApprovalRequestSettings } from './settings/get-approval-request-settings.ts'
import { patchApprovalRequestSettings } from './settings/patch-approval-request-settings.ts'

export const approvalRequests = resource({
  title: 'Approval requests',
  description: 'Changes that other members have to approve before they are applied.',
  collections: [approvalIndex, ...Object.values(approvalRequestDocuments)],
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
