/** Films of robots: their pictures, drawn by the page's scene or by an environment, and files made of them. */
@NullMarked
package dev.revealed.app.film;

import org.jspecify.annotations.NullMarked;
