import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

/** Links that the router checks, in Mantine's style. */
export const TextLink = createLink(Anchor<'a'>)
export const ButtonLink = createLink((props: ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>) => (
  <Button component="a" {...props} />
))
