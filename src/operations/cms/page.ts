import type { Page } from '../page.ts'

/** A page of a list with the length of the whole list. */
export interface CmsPage<T> extends Page<T> {
  total: number
}
