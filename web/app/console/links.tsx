import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Native = Omit<ComponentPropsWithRef<'a'>, 'color' | 'style'>;

/** A button that leads to a page of the console. */
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);

/** A text link to a page of the console. */
export const TextLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />);
