import type { Statement } from '@halyard/core/policy'

/** Roles of an imaginary web shop. */
export const developer = {
  name: 'developer',
  policy: [
    { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
    {
      effect: 'allow',
      resources: ['proj/shop:env/*:flag/*'],
      actions: ['createFlag', 'updateName', 'updateOn', 'updateTags'],
    },
    { effect: 'deny', resources: ['proj/shop:env/production:flag/billing-*'], actions: ['*'] },
  ],
} satisfies { name: string; policy: Statement[] }

export const support = {
  name: 'support',
  policy: [
    { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
    { effect: 'allow', resources: ['proj/shop:env/production:flag/*;support'], actions: ['updateOn'] },
  ],
} satisfies { name: string; policy: Statement[] }

// #region wrong
/** This role is intended to release in staging only. */
export const releaser = {
  name: 'releaser',
  policy: [
    { effect: 'allow', resources: ['proj/shop:env/*:flag/*'], actions: ['updateOn'] },
    { effect: 'deny', resources: ['proj/shop:env/prod:flag/*'], actions: ['updateOn'] },
  ],
} satisfies { name: string; policy: Statement[] }
// #endregion
