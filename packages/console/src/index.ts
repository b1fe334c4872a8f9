export type {
  ExpressPages as ExpressConsole,
  PageResponse as ConsoleAnswer,
  Pages as ConsolePages,
  PagesOptions as ConsoleOptions,
} from '@halyard/pages'
export { consolePages } from './console-pages.ts'
export { createExpressConsole } from './express-console.ts'
export { withConsole } from './fetch-console.ts'
export { type Console, type ConsoleMountOptions, createConsole, type HostRequest } from './mount/create-console.ts'
export type { IssuerSignInOptions } from './mount/issuer-sign-in.ts'
