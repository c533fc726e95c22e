package dev.revealed.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component of a record that a user may set. Its option and help, its check, its line in a spec and in the guide all come
 * from here. The default is not here: it is the value that a default record or a preset has.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Setting {
    /** The name users know, such as {@code reward-clamp}; by default the component's own, in lower case with hyphens. */
    String name() default "";

    /** What it means, in a sentence or two. A setting that is mentioned stands in backticks. */
    String about();

    /** What stands for the value in help; by default N for whole numbers, X for others, and all words of a choice. */
    String label() default "";

    /** The value, or each of its values, is larger than this. */
    double above() default Double.NaN;

    /** The value, or each of its values, is this or larger. */
    double atLeast() default Double.NaN;

    /** The value, or each of its values, is smaller than this. */
    double below() default Double.NaN;

    /** The value, or each of its values, is this or smaller. */
    double atMost() default Double.NaN;

    /** A value that works, for the remedy of an error. */
    String example() default "";

    /** The default in words, where it is no single value. */
    String usual() default "";

    /** The word for an optional value that is not there. */
    String none() default "auto";

    /** Whether the results of a run are the same whatever the value is. */
    boolean idle() default false;
}
