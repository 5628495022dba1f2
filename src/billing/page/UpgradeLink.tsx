import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'>

/** A full load: only the upgrade page's security policy allows Stripe. Drafts survive it. */
export const UpgradeLink = (props: Props) => <Link to="/subscribe" reloadDocument {...props} />
