package dev.revealed.estimate.route;

import dev.revealed.numeric.BadInput;

/**
 * Drivers with the same parameters, among whom nobody sees who belongs.
 *
 * @param share of all drivers; 1 where all have the same parameters
 * @param theta parameters of the model
 */
public record DriverType(double share, double[] theta) {
    public DriverType {
        BadInput.when(
                !(share > 0 && share <= 1),
                "the share of a type of drivers is " + share,
                "Give shares above 0 that add up to 1.");
    }
}
