import type { Page } from '../page.ts'

/** A page of a list, and how long the list is as a whole. */
export interface CmsPage<T> extends Page<T> {
  total: number
}
