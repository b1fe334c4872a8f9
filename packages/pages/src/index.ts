export { createExpressPages, type ExpressPages } from './express-pages.ts'
export { withPages } from './fetch-pages.ts'
export { type NotInstalled, notInstalled } from './not-installed.ts'
export {
  type PageFile,
  type PageResponse,
  type PageSite,
  type Pages,
  type PagesOptions,
  servedPages,
} from './served-pages.ts'
